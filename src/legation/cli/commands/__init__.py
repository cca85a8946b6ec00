"""What the command line takes: each command with its arguments, options and help.

What a command does stands beside this folder, in modules that are loaded when it runs.
"""

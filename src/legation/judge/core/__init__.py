"""The dense core of movement: decided by bounds that close in on each other, then circle by circle.

It runs interpreted for one game and compiled for the lab."""

from legation.judge.core.bounds import *
from legation.judge.core.cycles import *
from legation.judge.core.outcome import *
from legation.judge.core.problem import *

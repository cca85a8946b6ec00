"""Lessons on the board: a position, a goal, and the judge as the teacher."""

from legation.lessons.lesson import JudgedStep, Lesson, Step, find_step, lessons, lessons_of_clause
from legation.lessons.puzzles import Puzzle, puzzle_of_day, puzzles

__all__ = [
    "JudgedStep",
    "Lesson",
    "Puzzle",
    "Step",
    "find_step",
    "lessons",
    "lessons_of_clause",
    "puzzle_of_day",
    "puzzles",
]

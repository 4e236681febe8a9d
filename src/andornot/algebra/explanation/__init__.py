"""Explanations: the steps of a computation, its categories, and its validity."""

from andornot.algebra.explanation.explaining import explain
from andornot.algebra.explanation.records import Explanation, Figure, Group, Part
from andornot.algebra.explanation.validity import AndCorrection, Measured

__all__ = ["AndCorrection", "Explanation", "Figure", "Group", "Measured", "Part", "explain"]

"""Search the nearest words of a space."""

from andornot.search.nearest import Nearest, Search, check_k, largest

__all__ = ["Nearest", "Search", "check_k", "largest"]

"""Counting on Apache Spark: the same kernels in each task, and Parquet as the result."""

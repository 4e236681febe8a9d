"""What everything stands on: errors, files, folders, kernels, threads, names of choices."""

"""The base of all packages: errors, files, folders, kernels, threads, names of choices."""

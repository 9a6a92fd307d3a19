// The host runtime. Kernels include it with headers shared with the host and use nothing of it.

"""The service and the page: the algebra over HTTP, on loopback; needs `andornot[server]`."""

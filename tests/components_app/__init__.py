"""The smallest dashboard that mounts the components."""

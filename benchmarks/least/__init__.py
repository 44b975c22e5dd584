"""The least dashboard that there can be, served as ours is: the baseline of reruns."""

"""Bundles: a failure as one zip that stands alone. `write.bundle` makes one, `again` re-runs it."""

"""What Tilescope costs, as ratios that are measured in one run, on real compiles and real pages."""

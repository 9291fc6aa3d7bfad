"""What the wrapper costs: measured side by side in one run, told as ratios."""

"""What the local log tells: its lines, chosen and followed, and what they add up to."""

"""Line-ups, the bench, and substitutions."""

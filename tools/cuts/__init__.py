"""tools/powercut: every write and flush of a disk is recorded while the service works on it; then power is cut at thousands of its moments."""

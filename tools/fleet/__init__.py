"""tools/fleet-rig: boxes with simulated modems, and the engine that they share, on the loopback of this machine."""

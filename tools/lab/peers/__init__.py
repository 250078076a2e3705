"""tools/bench-peers: today's SMS gateways and smsrack on the same simulated modems, in one run."""

"""`clawwrap mcp`: the rooms that speak the Model Context Protocol; nobody else loads the SDK."""

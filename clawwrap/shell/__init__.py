"""Reads a line of bash and says where a prefix may go without changing what the line means."""

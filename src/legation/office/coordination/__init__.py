"""What waits for a coordinator: the desk, and mails that need a decision."""

"""The desk and the outbox: coordinators' tasks, mails that need a decision, letters, and all that is sent."""

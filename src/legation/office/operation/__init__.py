"""What the operator runs: due work, daily cleaning, backups, health, the doctor, the demo."""

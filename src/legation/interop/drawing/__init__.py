"""Drawing an imported board in the hand of the others: from its shapes, its positions, or its borders alone."""

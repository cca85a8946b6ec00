"""Pages of the coordinator: what there is to do, players, results, the record."""

"""What a run costs: tokens and prices, before it and after it, and a limit on both."""

"""Where checkwise meets the tools that its users already work with."""

"""How the house talks: errors, words, the spelling of options, checks of single options."""

"""The law of one area under a ROC curve, and of the largest of many."""

"""BERT-like models: their first layer as a Space, their final layer, models made from both."""

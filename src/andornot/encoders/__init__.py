"""Run BERT-like models: contextual vectors, token counts, centred sentence encoders."""

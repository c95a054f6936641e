"""The Qt application. Draws what the engine measured; does no maths of its own."""

"""Forms, sliders and the transport bar."""

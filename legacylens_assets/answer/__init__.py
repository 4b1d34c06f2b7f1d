"""From hits to a streamed answer whose citations were checked."""

"""From hits to a streamed answer whose citations were checked."""

from legacylens_assets.answer.answerer import Answerer, Ask
from legacylens_assets.answer.providers import load_providers
from legacylens_assets.answer.records import Event, GraphAnswer, Source
from legacylens_assets.answer.refusal import Calibration, calibrate, save_calibration, support

__all__ = ["Answerer", "Ask", "Calibration", "Event", "GraphAnswer", "Source", "calibrate", "load_providers", "save_calibration", "support"]

"""A trend as an SVG picture: a line over the runs, a band for the interval. Pure text, no script, colours by class."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 420, 150
LEFT, RIGHT, TOP, BOTTOM = 38, 12, 10, 22

MANY = 40
"""From this number of runs on, dots are drawn small."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One run: value and 95 % interval, all between 0 and 1, and what to say on hovering: its date and time (16 characters) first."""

    value: float
    low: float
    high: float
    label: str


def trend_svg(dots: Sequence[Dot], title: str) -> str:
    """Return the trend as an SVG element; the vertical axis always runs from 0 to 1 so that pictures compare."""
    steps = max(1, len(dots) - 1)
    across = [LEFT + (WIDTH - LEFT - RIGHT) * (n / steps if len(dots) > 1 else 0.5) for n in range(len(dots))]
    parts = [_grid(), _band(across, dots), _line(across, dots)]
    for x, dot in zip(across, dots, strict=True):
        whisker = f'<line class="whisker" x1="{x:.1f}" x2="{x:.1f}" y1="{_y(dot.low):.1f}" y2="{_y(dot.high):.1f}"/>' if len(dots) == 1 else ""
        dotted = f'<circle class="dot" cx="{x:.1f}" cy="{_y(dot.value):.1f}" r="{3.5 if len(dots) <= MANY else 1.5}"/>'
        parts.append(f"<g><title>{html.escape(dot.label)}</title>{whisker}{dotted}</g>")
    if dots:
        first, last = dots[0].label, dots[-1].label
        shown = slice(0, 10) if first[:10] != last[:10] else slice(0, 16)
        parts.append(f'<text class="tick" x="{LEFT}" y="{HEIGHT - 6}">{html.escape(first[shown])}</text>')
        if len(dots) > 1:
            parts.append(f'<text class="tick end" x="{WIDTH - RIGHT}" y="{HEIGHT - 6}">{html.escape(last[shown])}</text>')
    name = html.escape(title)
    return f'<svg class="trend" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}">{"".join(parts)}</svg>'


def bar_svg(value: float, low: float, high: float) -> str:
    """Return a small horizontal bar from 0 to 1 with its interval as a line."""
    width = 120
    return (
        f'<svg class="bar" viewBox="0 0 {width} 12" width="{width}" height="12" aria-hidden="true">'
        f'<rect class="rail" width="{width}" height="12" rx="3"/>'
        f'<rect class="fill" width="{value * width:.1f}" height="12" rx="3"/>'
        f'<line class="whisker" x1="{low * width:.1f}" x2="{high * width:.1f}" y1="6" y2="6"/></svg>'
    )


def _y(value: float) -> float:
    """Return the height of a value between 0 and 1."""
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(1.0, max(0.0, value)))


def _grid() -> str:
    rows = []
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(value)
        rows.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        if value in (0.0, 0.5, 1.0):
            rows.append(f'<text class="tick end" x="{LEFT - 6}" y="{y + 4:.1f}">{value:g}</text>')
    return "".join(rows)


def _band(across: Sequence[float], dots: Sequence[Dot]) -> str:
    if len(dots) < 2:
        return ""
    upper = [f"{x:.1f},{_y(dot.high):.1f}" for x, dot in zip(across, dots, strict=True)]
    lower = [f"{x:.1f},{_y(dot.low):.1f}" for x, dot in zip(across, dots, strict=True)]
    return f'<polygon class="band" points="{" ".join([*upper, *reversed(lower)])}"/>'


def _line(across: Sequence[float], dots: Sequence[Dot]) -> str:
    points = " ".join(f"{x:.1f},{_y(dot.value):.1f}" for x, dot in zip(across, dots, strict=True))
    return f'<polyline class="line" points="{points}"/>' if len(dots) > 1 else ""

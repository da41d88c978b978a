extension TimerSpec {
  /// What one can type, and what it means: for the help and the empty board.
  package static let examples: [(text: String, meaning: String)] = [
    ("tea=3m", "once, in three minutes; the name may be left out"),
    ("sets=every 45s x8", "again and again, eight times"),
    ("every 1h30m", "again and again, without end"),
    ("90s 05:00 1:30:00", "durations: also 250ms, 1.5h, 2d"),
    ("at 14:30", "once, by the clock, tomorrow if past; also 2:30pm, 2027-01-31T09:00"),
    ("weekdays 09:55", "by the clock again and again; also daily 9am, every mon,thu 6pm"),
    ("cycle 25m/5m x4", "phase after phase, four rounds; the last rest is left out"),
    ("cycle run 1m/walk 30s", "phases with names of their own"),
    ("stopwatch", "counts up, with laps"),
    ("debounce 2s max 10s", "triggered with f: fires when quiet; leading, both"),
    ("throttle 5s deferred", "triggered with f: at most that often; first, latest"),
    ("coalesce 1m", "triggered with f: fires a minute after the first"),
    ("idle 10m", "triggered with f: fires when quiet for that long"),
    ("… paused", "added, but not started"),
    ("… tolerance 1s", "may ring that much later, to save wake-ups"),
    ("… missed skip", "late by whole periods: one tick stands for all"),
    ("… missed delay", "late: the next period starts afresh"),
    ("… missed burst 5", "late: up to five ticks are made up for"),
    ("… then egg", "when it finishes, the timer called egg starts"),
    ("… ring", "sounds until a key is pressed"),
    ("… run 'make test'", "runs a command at each fire"),
    ("… backoff 5m", "every: the interval grows up to that while the command fails"),
    ("… note 'two bags'", "a text to show beside it"),
  ]
}

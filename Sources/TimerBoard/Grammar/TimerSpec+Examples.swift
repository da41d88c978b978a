extension TimerSpec {
  /// Examples of the grammar and their meanings, for the help and the empty board.
  package static let examples: [(text: String, meaning: String)] = [
    ("tea=3m", "once, in three minutes; the name is optional"),
    ("sets=every 45s x8", "repeats, eight times"),
    ("every 1h30m", "repeats, without end"),
    ("90s 05:00 1:30:00", "durations: also 250ms, 1.5h, 2d"),
    ("at 14:30", "once, by the clock, tomorrow if past; also 2:30pm, 2027-01-31T09:00"),
    ("weekdays 09:55", "by the clock, repeats; also daily 9am, every mon,thu 6pm"),
    ("cycle 25m/5m x4", "phases in turn, four rounds; without the last rest"),
    ("cycle jog 1m/walk 30s", "phases with names of their own"),
    ("stopwatch", "counts up, with laps"),
    ("debounce 2s max 10s", "triggered with f: fires when quiet; leading, both"),
    ("throttle 5s deferred", "triggered with f: at most that often; first, latest"),
    ("coalesce 1m", "triggered with f: fires a minute after the first"),
    ("idle 10m", "triggered with f: fires when quiet for that long"),
    ("… paused", "added, but not started"),
    ("… tolerance 1s", "may fire that much late, to save wake-ups"),
    ("… missed skip", "missed whole periods: merged into one tick"),
    ("… missed delay", "missed whole periods: restarts the interval"),
    ("… missed burst 5", "missed whole periods: up to five ticks are caught up"),
    ("… then egg", "starts the timer egg when it finishes"),
    ("… ring", "repeats the bell until a key is pressed"),
    ("… run 'make test'", "runs a command at each fire"),
    ("… backoff 5m", "every: the interval grows up to that while the command fails"),
    ("… note 'two bags'", "a text to show beside it"),
  ]
}

# The floor view of the pit.

floor-stop = Emergency stop
floor-stop_words = Every table freezes at once. Nothing is dealt, paid or cancelled until the house resumes.
floor-stopped = Emergency stop by { $name },
floor-why = Why was the house stopped? The reason goes into the journal.
floor-give_reason = Save the reason
floor-figures = Figures
floor-deviation = One standard deviation of the result: { $amount }
floor-sound = Sound
floor-seen = Seen
floor-seen_by = Seen by { $name },
floor-notes = Notes between shifts
floor-note = Note for the next shift
floor-write = Write note

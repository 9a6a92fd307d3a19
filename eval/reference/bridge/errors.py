class Unusable(Exception):
    """A row that cannot be judged here; `reason` is kebab-case."""

    def __init__(self, reason, detail):
        super().__init__(detail)
        self.reason = reason

"""Changes modules of a program: at once those that it has imported, the others right after it imports them."""

import sys


def change_imports(changes):
    """`changes` is a function of the module for each name."""
    for name, change in changes.items():
        if name in sys.modules:
            change(sys.modules[name])
    sys.meta_path.insert(0, Finder(changes))


class Finder:
    def __init__(self, changes):
        self.changes = changes
        # Another finder of this kind asks the others, too. Threads import different names at the same time.
        self.asked = set()

    def find_spec(self, name, path=None, target=None):
        if name not in self.changes or name in sys.modules or name in self.asked:
            return None
        self.asked.add(name)
        try:
            for finder in sys.meta_path:
                spec = None if finder is self else finder.find_spec(name, path, target)
                if spec and spec.loader:
                    spec.loader = ChangingLoader(spec.loader, self.changes[name])
                    return spec
            return None
        finally:
            self.asked.discard(name)


class ChangingLoader:
    """Loads a module as its own loader does, and changes it."""

    def __init__(self, loader, change):
        self.loader, self.change = loader, change

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        self.change(module)

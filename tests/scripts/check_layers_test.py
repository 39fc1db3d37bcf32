"""The layer check finds every kind of breach, and none in the project itself."""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import check_layers  # noqa: E402

TABLE = {"base": [], "gdl": ["base"], "ground": ["gdl"], "cli": ["ground"]}
WITHIN = {"ground": {"low": [], "high": ["low"], "beside": [None]}}
LINKS = "zermelo_module(base)\nzermelo_module(gdl base)\nzermelo_module(ground gdl fmt::fmt)\n"


class CheckLayers(unittest.TestCase):
    def problems(self, files, links=LINKS):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "src"
            for name, text in {"base/a.h": "", "gdl/b.h": "", "ground/c.h": "", **files}.items():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                (source / name).write_text(text)
            (source / "CMakeLists.txt").write_text(links)
            return check_layers.problems(pathlib.Path(folder), TABLE, WITHIN)

    def assert_one(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_to_the_left_is_allowed_also_indirectly(self):
        files = {"ground/c.h": '#include "base/a.h"\n#include "gdl/b.h"\n#include <vector>\n'}
        self.assertEqual(self.problems(files), [])

    def test_to_the_right_is_forbidden(self):
        found = self.problems({"base/x.cc": '#include "gdl/b.h"\n'})
        self.assert_one(found, "src/base/x.cc", "base may not use gdl")

    def test_spaces_do_not_hide_an_include(self):
        found = self.problems({"base/x.cc": ' #  include "gdl/b.h"\n'})
        self.assert_one(found, "base may not use gdl")

    def test_subfolders_have_an_order(self):
        low, high = {"ground/low/l.h": ""}, {"ground/high/h.h": '#include "ground/low/l.h"\n'}
        self.assertEqual(self.problems({**low, **high}), [])
        found = self.problems({"ground/low/l.h": '#include "ground/high/h.h"\n', "ground/high/h.h": ""})
        self.assert_one(found, "ground/low may not use")

    def test_a_subfolder_may_not_use_what_stands_above_it(self):
        self.assert_one(self.problems({"ground/low/l.h": '#include "ground/c.h"\n'}), "may not use")
        self.assertEqual(self.problems({"ground/c.h": '#include "ground/low/l.h"\n', "ground/low/l.h": ""}), [])

    def test_a_subfolder_may_use_the_files_beside_it_if_the_table_says_so(self):
        self.assertEqual(self.problems({"ground/beside/b.h": '#include "ground/c.h"\n'}), [])

    def test_subfolder_without_a_line(self):
        self.assert_one(self.problems({"ground/other/o.h": ""}), "other is not in the table")

    def test_cycle_within_a_module(self):
        files = {"gdl/b.h": '#include "gdl/d.h"\n', "gdl/d.h": '#include "gdl/b.h"\n'}
        found = self.problems(files)
        self.assertEqual(len(found), 2, found)
        self.assertIn("includes itself", found[0])

    def test_include_of_no_file(self):
        self.assert_one(self.problems({"gdl/x.cc": '#include "b.h"\n'}), "not a file of src/")

    def test_folder_without_a_line(self):
        self.assert_one(self.problems({"extra/x.cc": ""}), "src/extra")

    def test_main_stands_above_all(self):
        self.assertEqual(self.problems({"main.cc": '#include "ground/c.h"\n'}), [])

    def test_missing_link(self):
        found = self.problems({}, LINKS.replace("(gdl base)", "(gdl)"))
        self.assertTrue(any("gdl links []" in problem for problem in found), found)

    def test_cli_links_what_it_needs(self):
        self.assertEqual(self.problems({}, LINKS + "zermelo_module(cli gdl)\n"), [])

    def test_forbidden_link(self):
        found = self.problems({}, LINKS.replace("(gdl base)", "(gdl base ground)"))
        self.assertTrue(any(": gdl links" in problem for problem in found), found)

    def test_linked_module_without_a_line(self):
        self.assert_one(self.problems({}, LINKS + "zermelo_module(extra base)\n"), "extra")

    def test_the_table_has_no_cycle(self):
        for module in check_layers.MAY_USE:
            self.assertNotIn(module, check_layers.reachable(check_layers.MAY_USE, module))

    def test_the_project_keeps_its_layers(self):
        self.assertEqual(check_layers.problems(ROOT), [])


if __name__ == "__main__":
    unittest.main()

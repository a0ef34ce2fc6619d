"""How release_check counts what its tests print."""

import unittest

import release_check

_ROW = "| placecheck-run | 2.15.0+cu132 | 90 of 90 | 89 of 90 | 74 of 75 |\n"


class ReleaseCheckTest(unittest.TestCase):

    def test_skipped_tests_are_neither_passed_nor_failed(self):
        output = "..s.\n----\nRan 4 tests in 1.2s\n\nOK (skipped=1)\n"
        self.assertEqual(release_check.count_of_unittest(output), (3, 0))

    def test_failures_and_errors_are_failed(self):
        output = "Ran 9 tests in 1.2s\n\nFAILED (failures=1, errors=2, skipped=3)\n"
        self.assertEqual(release_check.count_of_unittest(output), (3, 3))

    def test_a_run_that_ended_early_has_no_count(self):
        self.assertIsNone(release_check.count_of_unittest("Segmentation fault"))
        self.assertIsNone(release_check.count_of_battery("| placecheck-run | | failed: no torch | | |"))

    def test_battery_counts_texts_and_right_programs(self):
        self.assertEqual(release_check.count_of_battery(_ROW), (89 + 74, 2))


if __name__ == "__main__":
    unittest.main()

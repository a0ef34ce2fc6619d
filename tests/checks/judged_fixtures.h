// The fixtures as the tests of one program share them: copied to a project of their own and lowered
// once, with a cache that later copies of them are lowered over.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/analyze.h"
#include "analyzer/findings/finding.h"
#include "tests/checks/pipeline.h"

namespace placecheck::checks {

// find_fixtures(), and the folder of the project that holds them.
const std::map<std::string, std::vector<std::string>>& fixtures();
const std::filesystem::path& fixtures_root();

// The members of a fixture, in that folder.
std::vector<std::string> fixture_files(const std::string& name);

const Pipeline& fixtures_pipeline();
// What is found in a fixture, judged when it is first asked for.
const std::vector<findings::Finding>& fixture_findings(const std::string& name);
// Lowers other files of the project over the same headers.
Pipeline lower_in_project(const std::vector<std::string>& files);

// The files of the test data that a fixture is made of: its members and what they include.
std::set<std::string> fixture_parts(const std::string& name);

std::string comment_leader(const std::string& file);
// What the comments of the files ask for: `devices: N`.
AnalyzeOptions fixture_options(const std::set<std::string>& parts);

// What a test of one fixture, or of one folder of them, is called.
std::string test_name(const testing::TestParamInfo<std::string>& info);

}  // namespace placecheck::checks

// Whom a run tells what happens on the way to its report. Each message is a sentence, lower case
// and without a full stop.
#pragma once

#include <string>

namespace placecheck {

class Messages {
 public:
  virtual ~Messages() = default;
  // Something that was asked for could not be done.
  virtual void complain(const std::string& message) = 0;
  // Said with --quiet too.
  virtual void warn(const std::string& message) = 0;
  virtual void mention(const std::string& message) = 0;
};

}  // namespace placecheck

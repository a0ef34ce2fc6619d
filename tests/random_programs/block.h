// A block of a function that is being written: what is declared in it ends with it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/random_programs/body.h"

namespace placecheck::random_programs {

class Block {
 public:
  // `head` is what stands before the brace; the block runs where `holds`, in all runs without it.
  Block(Body& body, const std::string& head, const std::vector<bool>& holds = {})
      : body_(body),
        active_(body.active_),
        current_(body.current_),
        tensors_(body.tensors_.size()),
        devices_(body.devices_.size()),
        lists_(body.lists_.size()),
        modules_(body.modules_.size()) {
    body_.line(head.empty() ? "{" : head + " {");
    ++body_.indent_;
    for (std::size_t run = 0; run < holds.size(); ++run) {
      body_.active_[run] = body_.active_[run] && holds[run];
    }
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    --body_.indent_;
    body_.line("}");
    body_.active_ = active_;
    body_.current_ = current_;
    body_.tensors_.resize(tensors_);
    body_.devices_.resize(devices_);
    body_.lists_.resize(lists_);
    body_.modules_.resize(modules_);
  }

 private:
  Body& body_;
  std::vector<bool> active_;
  Places current_;
  std::size_t tensors_, devices_, lists_, modules_;
};

}  // namespace placecheck::random_programs

// Other texts are the program's own affair.
#include <torch/torch.h>

#include <regex>
#include <string>

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  size_t position = 0;
  while ((position = text.find(from, position)) != std::string::npos) {
    text.replace(position, from.length(), to);
    position += to.length();
  }
}

std::string cleaned(std::string text) {
  replace_all(text, "\\", "/");
  replace_all(text, "//", "/");
  replace_all(text, "module.", "model.");
  text = std::regex_replace(text, std::regex("\\s+"), "");
  if (text.find("http://") == 0) text = text.substr(4);
  return text;
}

int main() { return cleaned("http://a\\b").empty() ? 1 : 0; }

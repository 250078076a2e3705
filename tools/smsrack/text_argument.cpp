#include "tools/smsrack/text_argument.hpp"

#include <algorithm>
#include <string_view>

namespace smsrack::cli {
namespace {

bool takes_value(const CommandNode& node, const std::string& word) {
    return std::ranges::find(node.value_options, word) != node.value_options.end();
}

bool is_text(std::string_view word) {
    if (!word.starts_with('-') || word.size() < 2 || word == "-h") {
        return false;
    }
    return !word.starts_with("--") || word.contains(' ');
}

}  // namespace

std::vector<std::string> with_text_last(std::vector<std::string> words, const CommandNode& root) {
    const auto send = std::ranges::find(root.children, "send", &CommandNode::name);
    bool in_send = false;
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        if (takes_value(root, words[i]) || (in_send && takes_value(*send, words[i]))) {
            ++i;  // its value
        } else if (in_send && is_text(words[i])) {
            std::string text = std::move(words[i]);
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
            words.emplace_back("--");
            words.push_back(std::move(text));
            break;
        } else if (!in_send && !words[i].starts_with('-')) {
            if (words[i] != "send") {
                break;  // another command
            }
            in_send = true;
        }
    }
    return words;
}

}  // namespace smsrack::cli

/// Prints addresses that log a browser in: one at once, and one for each line that is read.
///
/// Standard input is a pipe or a terminal; its end ends the gate, so that it never outlives the command that started it.
/// Threads: loop thread.
#pragma once

#include "firmware-host/net/loop.hpp"

#include <functional>
#include <string>

namespace smsrack::gate {

class CodePrinter {
public:
    /// `place`: "127.0.0.1:40123". `loop` outlives the object.
    CodePrinter(net::Loop& loop, std::string place, std::function<std::string()> new_code,
                std::function<void()> ended);

private:
    void print();
    void read_lines();

    const std::string place_;
    const std::function<std::string()> new_code_;
    const std::function<void()> ended_;
    net::LoopWatchPtr input_;  // null: there is none, or it has ended
};

}  // namespace smsrack::gate

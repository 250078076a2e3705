/// A user at a terminal: a shell on a pseudo-terminal of a known size, and what its screen shows.
///
/// Threads: one.
/// Errors:  std::runtime_error where there is no pseudo-terminal or no shell.
#pragma once

#include "tests/support/screen_model.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <termios.h>
#include <vector>

namespace smsrack::test {

class Terminal {
public:
    /// `environment`: "NAME=value", in addition to that of the test. The prompt is "$ ".
    Terminal(std::size_t rows, std::size_t columns, const std::vector<std::string>& environment);
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    ~Terminal();

    /// Keys as they are typed; "\x03" is Ctrl-C.
    void type(std::string_view keys);
    /// Changes the size as a window manager does, of which the programs are notified.
    void resize(std::size_t rows, std::size_t columns);
    /// True when `holds` becomes true in time; reads what the terminal gets meanwhile.
    bool until(const std::function<bool()>& holds,
               std::chrono::milliseconds within = std::chrono::seconds(20));
    bool until_shown(std::string_view part) {
        return until([&] { return screen_.shows(part); });
    }
    /// An empty screen, the counts of it begun again; then `line` is typed and ended. False: the prompt did not come back.
    bool command(const std::string& line);
    /// The same, without waiting for its end.
    void begin(const std::string& line);
    bool until_prompt();

    [[nodiscard]] const ScreenModel& screen() const { return screen_; }
    /// How the line discipline is set.
    [[nodiscard]] termios modes() const;

private:
    void read_for(std::chrono::milliseconds time);

    ScreenModel screen_;
    int terminal_ = -1;
    pid_t shell_ = -1;
};

}  // namespace smsrack::test

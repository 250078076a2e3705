/// Takes the whole terminal for one program: the alternate screen, keys at once and without echo,
/// no cursor.
///
/// The terminal is as it was before when this object is gone, while the program is stopped by Ctrl-Z, and after a crash (SIGSEGV,
/// SIGABRT and the like restore it first). SIGKILL can't be helped: `reset` does then.
/// Threads: the main thread; one object at a time.
#pragma once

#include "tools/client/unique_fd.hpp"
#include "tools/smsrack/screen/key_reader.hpp"
#include "tools/smsrack/screen/screen_painter.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <vector>

namespace smsrack::cli {

class FullScreen {
public:
    /// What the person at the terminal did.
    struct Input {
        std::vector<Key> keys = {};
        bool stop = false;    ///< Ctrl-C, SIGTERM, or the terminal is gone
        bool redraw = false;  ///< resized, or back from Ctrl-Z: nothing of ours is on the screen
    };

    FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;
    ~FullScreen();

    [[nodiscard]] ScreenSize size() const;
    void write(std::string_view octets) const;
    /// Waits for input at most that long. Ctrl-Z is done here: it returns when the program
    /// continues.
    [[nodiscard]] Input wait_for(std::chrono::milliseconds time);
    /// Readable when a signal has come that ends or stops the program. Stays this object's.
    [[nodiscard]] int signal_fd() const { return signals_.get(); }

private:
    void enter();
    void leave();
    void take_signals(Input& input);
    void take_keys(Input& input);

    sigset_t before_{};
    client::UniqueFd signals_;
    KeyReader keys_;
    bool has_keys_ = false;  // standard input is a terminal
};

}  // namespace smsrack::cli

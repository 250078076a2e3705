/// What systemd does with smsrack-wake.socket and smsrack-wake@.service: for each connection it runs `smsrack cluster power`, which
/// runs the program of the test.
///
/// Threads: made and ended by one; its own accepts.
/// Errors:  std::runtime_error where it can't listen.
#pragma once

#include "tests/support/temp_dir.hpp"

#include <filesystem>
#include <string>
#include <thread>

namespace smsrack::test {

class WakeUnit {
public:
    /// `script`: of /bin/sh; its folder is the present one, and it gets the word and the box.
    explicit WakeUnit(const std::string& script);
    ~WakeUnit();
    WakeUnit(const WakeUnit&) = delete;
    WakeUnit& operator=(const WakeUnit&) = delete;

    /// For [cluster] of each box.
    [[nodiscard]] std::string keys() const;
    /// Where the script runs.
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

private:
    void serve();

    TempDir folder_ = {};
    int listener_ = -1;
    std::jthread thread_;
};

}  // namespace smsrack::test

/// The newest answers of the modems, in a file next to the database, where a killed process's successor finds them.
///
/// The end of an attempt waits for the disk, but the line's next AT+CMGS does not. A process killed in between leaves the
/// attempt open, and at the port the prompt of the next one: without its note that prompt would pass for proof that the
/// attempt was never sent. A note is one write() into the page cache: it waits for no disk, survives the process, and may be
/// lost with the power. The modems may have a supply of their own, and their prompts outlive it: so the file says in which run of the
/// machine it was begun, and in another one a missing note says nothing.
/// Unit:    places_max notes; the oldest gives way. An end is committed one or two submits later: four a line for 256 lines.
/// Threads: note() by any; the rest before and after the threads run.
/// Errors:  a file that can't be written keeps no note: such attempts stay uncertain or are asked for at the port.
#pragma once

#include "src/base/ids.hpp"
#include "src/sms/outcome.hpp"

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

namespace smsrack::db {

class LastAnswers {
public:
    static constexpr std::size_t places_max = 1024;

    /// Reads what an earlier process noted. `boot`: which run of the machine this is.
    LastAnswers(const std::filesystem::path& file, std::string_view boot);
    LastAnswers(const LastAnswers&) = delete;
    LastAnswers& operator=(const LastAnswers&) = delete;
    ~LastAnswers();

    /// What an earlier process noted of this attempt.
    [[nodiscard]] std::optional<SubmitOutcome> earlier(AttemptId attempt) const;

    /// Nothing that an earlier process noted is missing: the machine has not lost its power since.
    [[nodiscard]] bool complete() const { return complete_; }

    /// The earlier notes are used up: an empty file of full size, so that no note needs room on the disk.
    void begin_anew();

    void note(AttemptId attempt, const SubmitOutcome& outcome);

private:
    int descriptor_;
    std::int64_t boot_;
    bool complete_ = false;
    std::map<AttemptId, SubmitOutcome> earlier_ = {};
    std::atomic<std::size_t> next_ = 0;
};

}  // namespace smsrack::db

/// Logins in a file, so that they survive a restart of the gate. It holds only hashes.
///
/// Unit:    a line a session: "HASH TOKEN_HASH UNUSED_SINCE", in seconds since 1970.
/// Bound:   Sessions::sessions_max lines; the rest is ignored.
/// Time:    wall time in the file. What is newer than now counts as used now.
/// Errors:  a file that cannot be read, or a line that is malformed, has no sessions. What save() cannot do it returns.
#pragma once

#include "firmware-host/gate/session/sessions.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <string>

namespace smsrack::gate {

class SessionFile {
public:
    /// `path`: its folder is there, and only this program's account may enter it.
    SessionFile(std::string path, const Clock& clock);

    /// Adds what the file has.
    void load(Sessions& sessions) const;
    /// Replaces the file.
    [[nodiscard]] Result<> save(const Sessions& sessions) const;
    /// So that it has no sessions that are over, where it can't be replaced.
    void remove() const;

private:
    const std::string path_;
    const Clock& clock_;
};

}  // namespace smsrack::gate

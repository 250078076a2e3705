/// The key under which PINs are stored: sixteen random octets in a file of the state folder.
///
/// A PIN has four digits, so any hash of it without a key is found out by trying. The key is next
/// to the database, not in it: a backup of the database reveals no PIN. Where the file is removed,
/// each configured PIN may be tried once more, as ever with two attempts left or more.
/// Errors:  storage: it can't be read or made; then no PIN is entered.
#pragma once

#include "src/base/keyed_hash.hpp"
#include "src/base/result.hpp"

#include <string>

namespace smsrack::host {

/// Made at the first call, for the owner alone.
[[nodiscard]] Result<HashKey> pin_key(const std::string& state_dir);

}  // namespace smsrack::host

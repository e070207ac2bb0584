"""Authentication: sessions, cookies, devices and signing in."""
